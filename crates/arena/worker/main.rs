//! Plays game tasks in another process, for the test of the seam: a task a line on standard input, its record a line on
//! standard output, both as JSON.

use std::io::{self, BufRead, Write};

use vidmar_arena::{GameTask, Worker};
use vidmar_engine::Control;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut worker = Worker::default();
    let mut output = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let task: GameTask = serde_json::from_str(&line?)?;
        let record = worker.play(&task, &Control::new())?;
        serde_json::to_writer(&mut output, &record)?;
        output.write_all(b"\n")?;
        output.flush()?;
    }
    Ok(())
}
