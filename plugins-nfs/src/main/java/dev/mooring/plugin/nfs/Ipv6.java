// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.nfs;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import java.util.regex.Pattern;

/** IPv6 addresses in the one form of RFC 5952, so that equal addresses are equal texts. Pure. */
final class Ipv6 {
    private static final Pattern LITERAL = Pattern.compile("[0-9a-fA-F:.]{2,45}");
    private static final Pattern ZONE = Pattern.compile("[A-Za-z0-9_.-]{1,15}");

    private Ipv6() {}

    /** The canonical text; empty if it is no IPv6 address. An IPv4 address that was mapped comes out as IPv4. */
    static Optional<String> canonical(String text) {
        int percent = text.indexOf('%');
        String address = percent < 0 ? text : text.substring(0, percent);
        String zone = percent < 0 ? "" : text.substring(percent + 1);
        boolean wellFormed = address.indexOf(':') >= 0
                && LITERAL.matcher(address).matches()
                && (percent < 0 || ZONE.matcher(zone).matches());
        if (!wellFormed) {
            return Optional.empty();
        }
        try {
            // with a colon in it this is parsed and never looked up
            byte[] bytes = InetAddress.getByName(address).getAddress();
            return Optional.of(bytes.length == 4 ? dotted(bytes) : compressed(bytes) + (percent < 0 ? "" : "%" + zone));
        } catch (UnknownHostException noAddress) {
            return Optional.empty();
        }
    }

    private static String dotted(byte[] bytes) {
        return (bytes[0] & 0xff) + "." + (bytes[1] & 0xff) + "." + (bytes[2] & 0xff) + "." + (bytes[3] & 0xff);
    }

    private static String compressed(byte[] bytes) {
        int[] groups = new int[8];
        for (int i = 0; i < 8; i++) {
            groups[i] = (bytes[2 * i] & 0xff) << 8 | (bytes[2 * i + 1] & 0xff);
        }
        int start = -1;
        int length = 1; // one zero group alone is not shortened
        for (int i = 0; i < 8; i++) {
            int zeros = 0;
            while (i + zeros < 8 && groups[i + zeros] == 0) {
                zeros++;
            }
            if (zeros > length) {
                start = i;
                length = zeros;
            }
        }
        return start < 0 ? join(groups, 0, 8) : join(groups, 0, start) + "::" + join(groups, start + length, 8);
    }

    private static String join(int[] groups, int from, int to) {
        StringBuilder text = new StringBuilder();
        for (int i = from; i < to; i++) {
            text.append(i == from ? "" : ":").append(Integer.toHexString(groups[i]));
        }
        return text.toString();
    }
}
