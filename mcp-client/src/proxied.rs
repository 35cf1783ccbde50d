//! The addresses that may be reached through the kernel: never those of this machine, its network, or a cloud's own.
//!
//! The kernel sends such a request itself, from inside of the person's network, and refuses private addresses in its safe
//! mode alone (seen with SiYuan 3.7.3). A name is judged as it is written, and what it resolves to is not known here; so it
//! must be encrypted: what answers at a private address has no certificate for a public name, and the kernel looks.

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
    let is_encrypted = url.scheme_str().eq_ignore_ascii_case("https");
    let Some(authority) = url.authority_components().filter(|_| is_encrypted) else { return false };
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
            "https://127.0.0.1/mcp",
            "https://127.1/",
            "https://2130706433/",
            "https://0x7f000001/",
            "https://0x7f.1/",
            "https://0177.0.0.1/",
            "https://localhost:36806/mcp",
            "https://LOCALHOST./",
            "https://a.localhost/",
            "https://[::1]/",
            "https://[::]/",
            "https://[::ffff:127.0.0.1]/",
            "https://[::ffff:7f00:1]/",
            "https://0.0.0.0/",
            "https://10.0.0.1/",
            "https://172.16.0.1/",
            "https://172.31.255.255/",
            "https://192.168.1.1/",
            "https://169.254.169.254/latest/meta-data",
            "https://168.63.129.16/metadata",
            "https://[fe80::1]/",
            "https://[fd00:ec2::254]/",
            "https://[fc00::1]/",
            "https://metadata.google.internal/",
            "https://100.100.100.200/",
            "https://224.0.0.1/",
            "https://255.255.255.255/",
            "https://198.18.0.1/",
            "https://192.0.0.192/",
            "https://printer/",
            "https://nas.local/",
            "https://router.lan/",
            "https://x.home.arpa/",
            "https://user@example.com/",
            "https://user:pw@example.com/",
            "https://127.0.0.1%2eexample.com/",
            "https://[2002:7f00:1::]/",
            "https://[64:ff9b::7f00:1]/",
            "https://[2001:db8::1]/",
            "http://example.com/mcp",
            "http://8.8.8.8/",
            "file:///etc/passwd",
            "ftp://example.com/",
            "//example.com/",
            "example.com",
            "https:///mcp",
            "https://",
            "",
        ] {
            assert!(!may_go_through_kernel(url), "{url}");
        }
    }

    #[test]
    fn public_addresses_pass() {
        for url in [
            "https://example.com/mcp",
            "HTTPS://Mcp.Example.com:8080/x?y",
            "https://8.8.8.8/",
            "https://172.32.0.1/",
            "https://[2606:4700::1111]/mcp",
            "https://localhost.example.com/",
        ] {
            assert!(may_go_through_kernel(url), "{url}");
        }
    }
}
