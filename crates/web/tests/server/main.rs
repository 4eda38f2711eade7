//! The server as its clients see it: real sockets, real requests.

mod analyses;
mod fuzz;
mod games;
mod limits;
mod page;
mod reasons;
mod restart;
mod security;
mod site;
