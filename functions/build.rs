//! The build script of every function: links a program that is loaded at a fixed address.
//!
//! The loader of a position-independent program writes some ten thousand addresses before `main`, a fifth of a start's
//! instructions. Memory that an attacker could corrupt does not exist: no crate of this workspace has unsafe code, and a
//! function runs in a virtual machine of its own.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_OS").is_ok_and(|system| system == "linux") {
        println!("cargo::rustc-link-arg-bins=-no-pie");
    }
}
