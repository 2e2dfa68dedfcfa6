// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.iscsi;

import dev.mooring.plugin.support.AddressText;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a target listens. Two texts that mean one address are one portal (semantics/plugins §3.1). Pure.
 *
 * @param host a name in small letters, or an address in its one canonical form, without brackets
 * @param port the port
 */
record Portal(String host, int port) {
    static final int USUAL_PORT = 3260;

    private static final Pattern BRACKETED = Pattern.compile("\\[([0-9A-Fa-f:.]{2,45})](?::([0-9]{1,5}))?");
    private static final Pattern PLAIN = Pattern.compile("([A-Za-z0-9](?:[A-Za-z0-9.-]{0,252}))(?::([0-9]{1,5}))?");
    private static final Pattern BARE_IPV6 = Pattern.compile("[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*");
    private static final Pattern DIGITS_AND_DOTS = Pattern.compile("[0-9.]*");
    private static final int LARGEST_PORT = 65535;

    /** Reads {@code host}, {@code host:port}, {@code [address]}, {@code [address]:port} or a bare IPv6 address. */
    static Optional<Portal> parse(String text) {
        if (BARE_IPV6.matcher(text).matches()) {
            return AddressText.ipv6(text).map(host -> new Portal(host, USUAL_PORT));
        }
        Matcher bracketed = BRACKETED.matcher(text);
        if (bracketed.matches()) {
            return AddressText.ipv6(bracketed.group(1)).flatMap(host -> withPort(host, bracketed.group(2)));
        }
        Matcher plain = PLAIN.matcher(text);
        return plain.matches()
                ? canonicalHost(plain.group(1)).flatMap(host -> withPort(host, plain.group(2)))
                : Optional.empty();
    }

    /** The portal of an address and a port as the kernel or the record data base writes them, without brackets. */
    static Optional<Portal> of(String address, int port) {
        // a session is shown with the zone of a link-local address, which a volume cannot name
        Optional<String> host =
                address.indexOf(':') >= 0 ? AddressText.ipv6(address.replaceFirst("%.*", "")) : canonicalHost(address);
        return host.map(text -> new Portal(text, port));
    }

    private static Optional<Portal> withPort(String host, String port) {
        int number = port == null ? USUAL_PORT : Integer.parseInt(port);
        return number >= 1 && number <= LARGEST_PORT ? Optional.of(new Portal(host, number)) : Optional.empty();
    }

    private static Optional<String> canonicalHost(String host) {
        String lower = host.toLowerCase(Locale.ROOT);
        String name = lower.endsWith(".") ? lower.substring(0, lower.length() - 1) : lower;
        // digits and dots alone are a mistyped address, never a name
        return DIGITS_AND_DOTS.matcher(name).matches() ? AddressText.ipv4(name) : Optional.of(name);
    }

    /** Whether the host is a name, which has to be looked up. */
    boolean isName() {
        return host.indexOf(':') < 0 && AddressText.ipv4(host).isEmpty();
    }

    /** As tools take it. */
    @Override
    public String toString() {
        return AddressText.bracketed(host) + ":" + port;
    }
}
