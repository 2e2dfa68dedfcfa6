// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.iscsi;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
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
    private static final Pattern IPV4 = Pattern.compile("(\\d{1,3})\\.(\\d{1,3})\\.(\\d{1,3})\\.(\\d{1,3})");
    private static final int LARGEST_PORT = 65535;
    private static final int GROUPS = 8;

    /** Reads {@code host}, {@code host:port}, {@code [address]}, {@code [address]:port} or a bare IPv6 address. */
    static Optional<Portal> parse(String text) {
        if (BARE_IPV6.matcher(text).matches()) {
            return canonicalSix(text).map(host -> new Portal(host, USUAL_PORT));
        }
        Matcher bracketed = BRACKETED.matcher(text);
        if (bracketed.matches()) {
            return canonicalSix(bracketed.group(1)).flatMap(host -> withPort(host, bracketed.group(2)));
        }
        Matcher plain = PLAIN.matcher(text);
        return plain.matches()
                ? canonicalHost(plain.group(1)).flatMap(host -> withPort(host, plain.group(2)))
                : Optional.empty();
    }

    /** The portal of an address and a port as the kernel or the record data base writes them, without brackets. */
    static Optional<Portal> of(String address, int port) {
        Optional<String> host = address.indexOf(':') >= 0 ? canonicalSix(address) : canonicalHost(address);
        return host.map(text -> new Portal(text, port));
    }

    private static Optional<Portal> withPort(String host, String port) {
        int number = port == null ? USUAL_PORT : Integer.parseInt(port);
        return number >= 1 && number <= LARGEST_PORT ? Optional.of(new Portal(host, number)) : Optional.empty();
    }

    private static Optional<String> canonicalHost(String host) {
        String lower = host.toLowerCase(Locale.ROOT);
        String name = lower.endsWith(".") ? lower.substring(0, lower.length() - 1) : lower;
        Matcher four = IPV4.matcher(name);
        if (!four.matches()) {
            // digits and dots alone are a mistyped address, never a name
            return name.matches("[0-9.]*") ? Optional.empty() : Optional.of(name);
        }
        List<String> parts = new ArrayList<>();
        for (int i = 1; i <= 4; i++) {
            int value = Integer.parseInt(four.group(i));
            if (value > 255) {
                return Optional.empty();
            }
            parts.add(Integer.toString(value));
        }
        return Optional.of(String.join(".", parts));
    }

    private static Optional<String> canonicalSix(String text) {
        try {
            // a text with a colon is never looked up
            byte[] bytes = InetAddress.getByName(text).getAddress();
            return Optional.of(
                    bytes.length == 4 ? InetAddress.getByAddress(bytes).getHostAddress() : compressed(bytes));
        } catch (UnknownHostException e) {
            return Optional.empty();
        }
    }

    /** The form of RFC 5952: small letters, no leading zeros, the longest run of zero groups left out. */
    private static String compressed(byte[] bytes) {
        int[] groups = new int[GROUPS];
        for (int i = 0; i < GROUPS; i++) {
            groups[i] = ((bytes[2 * i] & 0xff) << 8) | (bytes[2 * i + 1] & 0xff);
        }
        int start = -1;
        int length = 1;
        for (int i = 0; i < GROUPS; i++) {
            int run = i;
            while (run < GROUPS && groups[run] == 0) {
                run++;
            }
            if (run - i > length) {
                start = i;
                length = run - i;
            }
        }
        return start < 0
                ? joined(groups, 0, GROUPS)
                : joined(groups, 0, start) + "::" + joined(groups, start + length, GROUPS);
    }

    private static String joined(int[] groups, int from, int to) {
        List<String> words = new ArrayList<>();
        for (int i = from; i < to; i++) {
            words.add(Integer.toHexString(groups[i]));
        }
        return String.join(":", words);
    }

    /** Whether the host is a name, which has to be looked up. */
    boolean isName() {
        return host.indexOf(':') < 0 && !IPV4.matcher(host).matches();
    }

    /** As tools take it. */
    @Override
    public String toString() {
        return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
    }
}
