//! Whether a window can be opened, found out before the window library tries and panics.

#[cfg(target_os = "linux")]
use std::os::linux::net::SocketAddrExt;
#[cfg(unix)]
use std::os::unix::net::UnixStream;

/// Something that answers at the display's address. Keep it until the window is there: a virtual display starts anew when
/// its last connection closes, and would miss the window's own.
#[derive(Debug)]
pub(crate) struct Answer {
    _connection: Option<Connection>,
}

#[cfg(unix)]
#[derive(Debug)]
#[expect(dead_code, reason = "held open, never spoken through")]
enum Connection {
    Local(UnixStream),
    Remote(std::net::TcpStream),
}

#[cfg(not(unix))]
type Connection = ();

/// Finds the display, or says why no window can be opened.
pub(crate) fn find() -> Result<Answer, String> {
    #[cfg(all(unix, not(target_os = "macos")))]
    {
        let get = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        let (x, wayland) = (get("DISPLAY"), get("WAYLAND_DISPLAY"));
        if x.is_none() && wayland.is_none() {
            return Err("neither DISPLAY nor WAYLAND_DISPLAY is set".to_owned());
        }
        let connection = x.as_deref().and_then(connect_x).or_else(|| connect_wayland(&wayland?));
        match connection {
            Some(connection) => Ok(Answer { _connection: Some(connection) }),
            None => Err(format!("nothing answers at the display \"{}\"", x.unwrap_or_default())),
        }
    }
    // The other systems always have a display, or say so themselves.
    #[cfg(not(all(unix, not(target_os = "macos"))))]
    Ok(Answer { _connection: None })
}

#[cfg(all(unix, not(target_os = "macos")))]
fn connect_wayland(name: &str) -> Option<Connection> {
    let dir = std::env::var("XDG_RUNTIME_DIR").unwrap_or_default();
    UnixStream::connect(std::path::Path::new(&dir).join(name)).ok().map(Connection::Local)
}

/// Connects to where `[host]:number[.screen]` says.
#[cfg(all(unix, not(target_os = "macos")))]
fn connect_x(display: &str) -> Option<Connection> {
    let (host, rest) = display.rsplit_once(':')?;
    let number: u16 = rest.split('.').next()?.parse().ok()?;
    if !host.is_empty() && host != "unix" {
        let address = (host, number.checked_add(6000)?);
        return std::net::TcpStream::connect(address).ok().map(Connection::Remote);
    }
    let path = format!("/tmp/.X11-unix/X{number}");
    #[cfg(target_os = "linux")]
    {
        let address = std::os::unix::net::SocketAddr::from_abstract_name(&path);
        if let Ok(stream) = address.and_then(|address| UnixStream::connect_addr(&address)) {
            return Some(Connection::Local(stream));
        }
    }
    UnixStream::connect(path).ok().map(Connection::Local)
}
