//! A worker in a process of its own, for tests that kill it: `fleet-worker URL NAME THREADS [NAME=ENGINE …]`. It ends with its
//! input, and so with whoever started it, however that ends.

use std::sync::Arc;

use vidmar_engine::Control;
use vidmar_fleet::Observer;
use vidmar_fleet::engines::OfferedEngine;
use vidmar_fleet::worker::{WorkerSettings, serve};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let mut next = || arguments.next().ok_or("expected URL NAME THREADS");
    let (url, name, threads) = (next()?, next()?, next()?);
    let engines: Vec<OfferedEngine> = arguments.map(|text| text.parse()).collect::<Result<_, _>>()?;
    let observer: Observer = Arc::new(|_| {});
    let settings = WorkerSettings {
        name: name.parse()?,
        threads: threads.parse()?,
        engines: engines.into(),
        ..WorkerSettings::new(url.parse()?, observer)
    };
    std::thread::spawn(|| {
        let _ = std::io::copy(&mut std::io::stdin(), &mut std::io::sink());
        std::process::exit(0);
    });
    serve(settings, &Control::new())?;
    Ok(())
}
