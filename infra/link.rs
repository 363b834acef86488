//! The build script of every function: links a program that is loaded at a fixed address.
//!
//! The loader of a position-independent program writes some 14,000 addresses before `main`. They protect from corrupted
//! memory, which safe Rust does not have: no crate of this workspace has unsafe code.

fn main() {
    // Otherwise a change of any file of the package would run it again.
    println!("cargo::rerun-if-env-changed=CARGO_CFG_TARGET_OS");
    if std::env::var("CARGO_CFG_TARGET_OS").is_ok_and(|system| system == "linux") {
        println!("cargo::rustc-link-arg-bins=-no-pie");
    }
}
