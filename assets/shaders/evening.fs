#version 100
// vertex shader: flat.vs
// The last step over the whole picture: bright places bleed softly, the corners sink into the night.
precision mediump float;

varying vec2 uv;
varying vec4 color;

uniform sampler2D Texture;
uniform sampler2D Halo;
uniform sampler2D Vignette;
uniform sampler2D Grain;
uniform vec4 _Time;
uniform float Bloom;
uniform float Hurt;

void main() {
    vec3 picture = texture2D(Texture, uv).rgb;
    vec3 halo = texture2D(Halo, uv).rgb * Bloom;
    picture = 1.0 - (1.0 - min(picture, 1.0)) * (1.0 - min(halo, 1.0));
    float dark = texture2D(Vignette, uv).r;
    picture *= 1.0 - 0.60 * dark;
    picture = mix(picture, vec3(0.75, 0.10, 0.20), Hurt * dark);
    // A little grain hides the steps of the sky's slow gradients.
    vec2 place = fract(uv * vec2(5.0, 2.8125) + vec2(fract(_Time.x * 7.3), fract(_Time.x * 3.1)));
    picture += (texture2D(Grain, place).r - 0.5) * 0.03;
    gl_FragColor = vec4(picture, 1.0);
}
