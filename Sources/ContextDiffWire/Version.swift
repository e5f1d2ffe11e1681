/// The version of the daemon, the tool and the libraries.
package let contextdiffVersion = "0.2.0"
