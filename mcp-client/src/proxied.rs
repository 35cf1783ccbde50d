//! The addresses that may be reached through the kernel: never those of this machine, its network, or a cloud's own.
//!
//! The kernel sends such a request itself, from inside of the person's network. A name is judged as it is written: what
//! it resolves to is known to the kernel alone.

use std::net::{Ipv4Addr, Ipv6Addr};

use iri_string::types::UriStr;

/// Names below these belong to a machine or a local network.
const LOCAL: [&str; 6] = ["localhost", "local", "internal", "lan", "home.arpa", "localdomain"];

/// The address at which Azure answers its own machines.
const AZURE: Ipv4Addr = Ipv4Addr::new(168, 63, 129, 16);

/// Whether the kernel may be asked to send requests to an address.
#[must_use]
pub fn may_go_through_kernel(url: &str) -> bool {
    let Ok(url) = UriStr::new(url) else { return false };
    let is_web = ["http", "https"].iter().any(|it| url.scheme_str().eq_ignore_ascii_case(it));
    let Some(authority) = url.authority_components().filter(|_| is_web) else { return false };
    authority.userinfo().is_none() && is_public(authority.host())
}

fn is_public(host: &str) -> bool {
    if let Some(address) = host.strip_prefix('[').and_then(|it| it.strip_suffix(']')) {
        return address.parse::<Ipv6Addr>().is_ok_and(is_public_v6);
    }
    if let Ok(address) = host.parse::<Ipv4Addr>() {
        return is_public_v4(address);
    }
    let host = host.trim_end_matches('.').to_ascii_lowercase();
    let last = host.rsplit('.').next().unwrap_or_default();
    // Numbers in other spellings are addresses too: 2130706433, 0x7f.1, 127.1.
    let is_number = last.bytes().all(|it| it.is_ascii_digit()) || last.starts_with("0x");
    let is_local = LOCAL.iter().any(|it| host == *it || host.ends_with(&format!(".{it}")));
    // A name without a dot is one of the own network, and an encoded one hides what it is.
    host.contains('.') && !host.contains('%') && !is_number && !is_local
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    let is_special = a == 0 // this network
        || a >= 240 // reserved, broadcast
        || (a == 100 && (64..128).contains(&b)) // behind a provider's address
        || (a == 192 && b == 0 && c == 0) // protocols
        || address == AZURE
        || (a == 198 && (b == 18 || b == 19)); // benchmarks
    !(is_special
        || address.is_loopback()
        || address.is_private()
        || address.is_link_local() // with the metadata of clouds
        || address.is_multicast()
        || address.is_documentation())
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    let [a, b, ..] = address.segments();
    // Only global unicast, and of that nothing that carries another address in it.
    let is_global = a & 0xe000 == 0x2000;
    let is_tunnel = a == 0x2002 || (a == 0x2001 && b < 0x0200) || (a == 0x2001 && b == 0x0db8);
    match address.to_ipv4_mapped() {
        Some(inner) => is_public_v4(inner),
        None => is_global && !is_tunnel,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// B-217: the list of addresses that are refused.
    #[test]
    fn addresses_of_this_machine_its_network_and_clouds_are_refused() {
        for url in [
            "http://127.0.0.1/mcp",
            "http://127.1/",
            "http://2130706433/",
            "http://0x7f000001/",
            "http://0x7f.1/",
            "http://0177.0.0.1/",
            "http://localhost:36806/mcp",
            "http://LOCALHOST./",
            "http://a.localhost/",
            "http://[::1]/",
            "http://[::]/",
            "http://[::ffff:127.0.0.1]/",
            "http://[::ffff:7f00:1]/",
            "http://0.0.0.0/",
            "http://10.0.0.1/",
            "http://172.16.0.1/",
            "http://172.31.255.255/",
            "http://192.168.1.1/",
            "http://169.254.169.254/latest/meta-data",
            "http://168.63.129.16/metadata",
            "http://[fe80::1]/",
            "http://[fd00:ec2::254]/",
            "http://[fc00::1]/",
            "http://metadata.google.internal/",
            "http://100.100.100.200/",
            "http://224.0.0.1/",
            "http://255.255.255.255/",
            "http://198.18.0.1/",
            "http://192.0.0.192/",
            "http://printer/",
            "http://nas.local/",
            "http://router.lan/",
            "http://x.home.arpa/",
            "http://user@example.com/",
            "http://user:pw@example.com/",
            "http://127.0.0.1%2eexample.com/",
            "http://[2002:7f00:1::]/",
            "http://[64:ff9b::7f00:1]/",
            "http://[2001:db8::1]/",
            "file:///etc/passwd",
            "ftp://example.com/",
            "//example.com/",
            "example.com",
            "http:///mcp",
            "http://",
            "",
        ] {
            assert!(!may_go_through_kernel(url), "{url}");
        }
    }

    #[test]
    fn public_addresses_pass() {
        for url in [
            "https://example.com/mcp",
            "HTTP://Mcp.Example.com:8080/x?y",
            "http://8.8.8.8/",
            "http://172.32.0.1/",
            "https://[2606:4700::1111]/mcp",
            "https://localhost.example.com/",
        ] {
            assert!(may_go_through_kernel(url), "{url}");
        }
    }
}
