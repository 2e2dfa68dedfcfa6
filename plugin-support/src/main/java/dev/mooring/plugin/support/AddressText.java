// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.support;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apiguardian.api.API;

/** Addresses in one form each, so that equal addresses are equal texts. Nothing is ever looked up. Pure. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class AddressText {
    private static final Pattern IPV4 = Pattern.compile("(\\d{1,3})\\.(\\d{1,3})\\.(\\d{1,3})\\.(\\d{1,3})");
    private static final Pattern IPV6 = Pattern.compile("[0-9a-fA-F:.]{2,45}");
    private static final Pattern ZONE = Pattern.compile("[A-Za-z0-9_.-]{1,15}");
    private static final int GROUPS = 8;
    private static final int LARGEST_BYTE = 255;

    private AddressText() {}

    /**
     * An IPv6 address in the form of RFC 5952: small letters, no leading zeros, the longest run of zero groups left out.
     *
     * @param text an address without brackets; a zone may follow a percent sign and stays as it is
     * @return the form; that of IPv4 for a mapped IPv4 address; empty if the text is no IPv6 address
     */
    public static Optional<String> ipv6(String text) {
        int percent = text.indexOf('%');
        String address = percent < 0 ? text : text.substring(0, percent);
        String zone = percent < 0 ? "" : text.substring(percent + 1);
        boolean wellFormed = address.indexOf(':') >= 0
                && IPV6.matcher(address).matches()
                && (percent < 0 || ZONE.matcher(zone).matches());
        if (!wellFormed) {
            return Optional.empty();
        }
        try {
            // Java parses a text with a colon and never looks it up
            InetAddress parsed = InetAddress.getByName(address);
            byte[] bytes = parsed.getAddress();
            return Optional.of(
                    bytes.length == 4 ? parsed.getHostAddress() : compressed(bytes) + (percent < 0 ? "" : "%" + zone));
        } catch (UnknownHostException noAddress) {
            return Optional.empty();
        }
    }

    /**
     * An IPv4 address without leading zeros in its numbers.
     *
     * @return the form; empty if the text is not four decimal numbers up to 255 with dots between them
     */
    public static Optional<String> ipv4(String text) {
        Matcher numbers = IPV4.matcher(text);
        if (!numbers.matches()) {
            return Optional.empty();
        }
        List<String> parts = new ArrayList<>();
        for (int i = 1; i <= 4; i++) {
            int value = Integer.parseInt(numbers.group(i));
            if (value > LARGEST_BYTE) {
                return Optional.empty();
            }
            parts.add(Integer.toString(value));
        }
        return Optional.of(String.join(".", parts));
    }

    /** A host as it stands before a colon: an IPv6 address in brackets, anything else as it is. */
    public static String bracketed(String host) {
        return host.indexOf(':') >= 0 ? "[" + host + "]" : host;
    }

    private static String compressed(byte[] bytes) {
        int[] groups = new int[GROUPS];
        for (int i = 0; i < GROUPS; i++) {
            groups[i] = ((bytes[2 * i] & 0xff) << 8) | (bytes[2 * i + 1] & 0xff);
        }
        int start = -1;
        int length = 1; // one zero group alone is not shortened
        for (int i = 0; i < GROUPS; i++) {
            int end = i;
            while (end < GROUPS && groups[end] == 0) {
                end++;
            }
            if (end - i > length) {
                start = i;
                length = end - i;
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
}
