//! The command line.

pub const HELP: &str = "\
A bullet hell, and the pools that its objects live in.

Usage: typed-pool-demo [OPTIONS]

  --box           start with `Box` instead of pools
  --picture FILE  save a picture as PNG, and end
  --after N       frames before the picture [600]
  --headless N    play N frames in both kinds of memory, without a window, and compare
  --help          print this

space  pools or `Box`      T    the quad-tree
mouse  steers the ship     tab  the panel
R      held: time runs back, for up to five seconds
";

pub struct Options {
    pub in_pools: bool,
    pub picture: Option<String>,
    pub after: u32,
}

pub enum Command {
    Play(Options),
    Headless(u32),
    Help,
}

/// Parses the arguments after the program's name.
pub fn parse(mut arguments: impl Iterator<Item = String>) -> Result<Command, String> {
    let mut options = Options { in_pools: true, picture: None, after: 600 };
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or(format!("{argument} takes a value"));
        let number = |value: String| {
            value.parse().map_err(|_| format!("{argument} takes a whole number, not {value:?}"))
        };
        match argument.as_str() {
            "--box" => options.in_pools = false,
            "--picture" => options.picture = Some(value()?),
            "--after" => options.after = number(value()?)?,
            "--headless" => return Ok(Command::Headless(number(value()?)?)),
            "--help" | "-h" => return Ok(Command::Help),
            _ => return Err(format!("there is no {argument:?}")),
        }
    }
    Ok(Command::Play(options))
}
