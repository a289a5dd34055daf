// Models: triangles to turn, drawn with WebGL.

const VERTEX_SHADER = `#version 300 es
in vec3 position; in vec3 normal; in vec2 coordinate;
uniform vec3 low, extent; uniform mat4 view; uniform mat4 projection;
out vec3 eye; out vec3 facing; out vec2 uv;
void main() {
  vec4 place = view * vec4(low + position * extent, 1.0);
  eye = place.xyz; facing = mat3(view) * normal; uv = coordinate;
  gl_Position = projection * place;
}`;

const FRAGMENT_SHADER = `#version 300 es
precision highp float;
in vec3 eye; in vec3 facing; in vec2 uv;
uniform vec4 color; uniform sampler2D image; uniform bool hasNormals; uniform bool hasImage;
out vec4 shown;
vec3 toLinear(vec3 c) { return pow(c, vec3(2.2)); }
void main() {
  vec3 n = hasNormals && dot(facing, facing) > 0.0 ? normalize(facing) : normalize(cross(dFdx(eye), dFdy(eye)));
  if (dot(n, eye) > 0.0) n = -n;
  float light = 0.35 + 0.5 * max(dot(n, normalize(vec3(0.4, 0.7, 0.8))), 0.0) + 0.25 * max(dot(n, normalize(-eye)), 0.0);
  vec4 base = color;
  if (hasImage) { vec4 texel = texture(image, uv); base *= vec4(toLinear(texel.rgb), texel.a); }
  if (base.a < 0.1) discard;
  shown = vec4(pow(base.rgb * light, vec3(1.0 / 2.2)), 1.0);
}`;

function showModel(preview) {
  const canvas = make('canvas');
  const stage = make('div', {
    class: 'stage fixed', tabindex: '0', role: 'img',
    'aria-label': `A model of ${count(preview.triangle_count, 'triangle')}. Arrow keys turn it, plus and minus zoom.`,
  }, canvas);
  const note = make('p', { class: 'note' }, 'Drag or use the arrow keys to turn it; + and − zoom.');
  const gl = canvas.getContext('webgl2', { antialias: true });
  if (!gl) return [make('p', { class: 'note' }, 'This browser has no WebGL to draw the model with.')];
  const program = compile(gl);
  const at = (name) => gl.getUniformLocation(program, name);
  const extent = preview.high.map((high, axis) => Math.max(high - preview.low[axis], 1e-6));
  const middle = preview.low.map((low, axis) => low + extent[axis] / 2);
  const radius = Math.hypot(...extent) / 2;
  const view = { yaw: 0.6, pitch: 0.35, distance: 2.4 };

  const white = gl.createTexture();
  const load = (texture, source) => {
    gl.bindTexture(gl.TEXTURE_2D, texture);
    if (source) gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, source);
    else gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 1, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array([255, 255, 255, 255]));
    gl.generateMipmap(gl.TEXTURE_2D);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_LINEAR);
  };
  load(white, null);
  const materials = preview.materials.map((material) => {
    const made = { color: material.color, texture: null };
    if (material.texture) {
      picture(material.texture).then((image) => { made.texture = gl.createTexture(); load(made.texture, image); draw(); });
    }
    return made;
  });
  const parts = preview.parts.map((part) => meshOf(gl, program, part));

  function draw() {
    const by = devicePixelRatio || 1;
    const [width, height] = [stage.clientWidth, 320];
    if (width === 0) return;
    if (canvas.width !== Math.round(width * by)) [canvas.width, canvas.height] = [Math.round(width * by), height * by];
    canvas.style.height = `${height}px`;
    gl.viewport(0, 0, canvas.width, canvas.height);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.enable(gl.DEPTH_TEST);
    gl.useProgram(program);
    const distance = view.distance * radius;
    gl.uniformMatrix4fv(at('view'), false, viewMatrix(view.yaw, view.pitch, distance, middle));
    gl.uniformMatrix4fv(at('projection'), false, projectionMatrix(width / height, Math.max(distance - radius * 1.5, radius / 100), distance + radius * 1.5));
    gl.uniform3fv(at('low'), preview.low);
    gl.uniform3fv(at('extent'), extent);
    for (const part of parts) {
      const material = materials[part.material];
      gl.uniform4fv(at('color'), material?.color ?? [0.8, 0.8, 0.8, 1]);
      gl.uniform1i(at('hasNormals'), part.hasNormals ? 1 : 0);
      gl.uniform1i(at('hasImage'), material?.texture ? 1 : 0);
      gl.bindTexture(gl.TEXTURE_2D, material?.texture ?? white);
      gl.bindVertexArray(part.array);
      gl.drawElements(gl.TRIANGLES, part.count, part.type, 0);
    }
    stage.dataset.turned = `${view.yaw.toFixed(2)} ${view.pitch.toFixed(2)} ${view.distance.toFixed(2)}`;
  }

  const turn = (yaw, pitch) => {
    view.yaw += yaw;
    view.pitch = Math.max(-1.55, Math.min(1.55, view.pitch + pitch));
    draw();
  };
  const zoomBy = (factor) => { view.distance = Math.max(1.05, Math.min(12, view.distance * factor)); draw(); };
  stage.addEventListener('keydown', (event) => {
    const turns = { ArrowLeft: [-0.15, 0], ArrowRight: [0.15, 0], ArrowUp: [0, 0.15], ArrowDown: [0, -0.15] };
    if (event.key in turns) turn(...turns[event.key]);
    else if (event.key === '+' || event.key === '=') zoomBy(0.85);
    else if (event.key === '-') zoomBy(1 / 0.85);
    else return;
    event.preventDefault();
  });
  stage.addEventListener('pointerdown', (event) => stage.setPointerCapture(event.pointerId));
  stage.addEventListener('pointermove', (event) => {
    if (stage.hasPointerCapture(event.pointerId)) turn(event.movementX * 0.01, event.movementY * 0.01);
  });
  stage.addEventListener('wheel', (event) => { event.preventDefault(); zoomBy(event.deltaY > 0 ? 1.1 : 1 / 1.1); }, { passive: false });
  new ResizeObserver(draw).observe(stage);
  return [stage, note];
}

function compile(gl) {
  const program = gl.createProgram();
  for (const [type, source] of [[gl.VERTEX_SHADER, VERTEX_SHADER], [gl.FRAGMENT_SHADER, FRAGMENT_SHADER]]) {
    const shader = gl.createShader(type);
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program));
  return program;
}

/** Puts a part of a model into buffers of the graphics card. */
function meshOf(gl, program, part) {
  const array = gl.createVertexArray();
  gl.bindVertexArray(array);
  const attribute = (name, base64, components, type, isNormalised) => {
    const where = gl.getAttribLocation(program, name);
    if (where < 0 || base64 === '') return;
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ARRAY_BUFFER, bytesOf(base64), gl.STATIC_DRAW);
    gl.enableVertexAttribArray(where);
    gl.vertexAttribPointer(where, components, type, isNormalised, 0, 0);
  };
  attribute('position', part.positions, 3, gl.UNSIGNED_SHORT, true);
  attribute('normal', part.normals, 3, gl.BYTE, true);
  attribute('coordinate', part.coordinates, 2, gl.FLOAT, false);
  const indices = bytesOf(part.indices);
  gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, indices, gl.STATIC_DRAW);
  gl.bindVertexArray(null);
  return {
    array, material: part.material, hasNormals: part.normals !== '', count: indices.length / part.index_size,
    type: part.index_size === 2 ? gl.UNSIGNED_SHORT : gl.UNSIGNED_INT,
  };
}

/** Looks at the middle of a model from a distance, column-major. */
function viewMatrix(yaw, pitch, distance, [x, y, z]) {
  const [sy, cy, sp, cp] = [Math.sin(yaw), Math.cos(yaw), Math.sin(pitch), Math.cos(pitch)];
  const rows = [[cy, 0, sy], [sp * sy, cp, -sp * cy], [-cp * sy, sp, cp * cy]];
  const moved = rows.map(([a, b, c]) => -(a * x + b * y + c * z));
  moved[2] -= distance;
  return [0, 1, 2].flatMap((column) => [...rows.map((row) => row[column]), 0]).concat(moved, 1);
}

function projectionMatrix(aspect, near, far) {
  const focal = 1 / Math.tan(0.45);
  const depth = near - far;
  const wide = Math.max(1, 1 / aspect);
  return [focal / aspect / wide, 0, 0, 0, 0, focal / wide, 0, 0, 0, 0, (far + near) / depth, -1, 0, 0, 2 * far * near / depth, 0];
}

const modelFacts = (preview) => [
  ['Model', `${count(preview.vertex_count, 'vertex', 'vertices')}, ${count(preview.triangle_count, 'triangle')}, ${count(preview.materials.length, 'material')}`],
];
