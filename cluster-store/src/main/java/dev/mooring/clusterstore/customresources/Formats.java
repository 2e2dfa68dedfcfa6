// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.customresources;

import java.net.URI;
import java.net.URISyntaxException;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** The formats of texts that an API server judges ({@code format} of a schema); others are not judged. */
final class Formats {
    private static final String OCTET = "(25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";
    private static final String IPV4 = OCTET + "(\\." + OCTET + "){3}";
    private static final Pattern IPV6 = Pattern.compile("[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*");
    private static final Pattern DURATION = Pattern.compile(
            "[+-]?(0|((\\d+(\\.\\d*)?|\\.\\d+)(ns|us|µs|μs|ms|s|m|h))+)|\\d+ ?(ns|us|ms|s|m|h|d|w|nanos?|micros?|millis?|secs?|seconds?|mins?|minutes?|hours?|days?|weeks?)");
    private static final String HEX = "[0-9a-f]";

    private static final Map<String, Predicate<String>> KNOWN = Map.ofEntries(
            Map.entry("date-time", Formats::isTime),
            Map.entry("date", Formats::isDate),
            Map.entry("duration", DURATION.asMatchPredicate()),
            Map.entry("email", Pattern.compile("[^@\\s<>]+@[^@\\s<>]+").asMatchPredicate()),
            Map.entry(
                    "hostname",
                    Pattern.compile("([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\\.?)+")
                            .asMatchPredicate()),
            Map.entry("ipv4", Pattern.compile(IPV4).asMatchPredicate()),
            Map.entry("ipv6", Formats::isIpv6),
            Map.entry("cidr", Formats::isCidr),
            Map.entry(
                    "mac",
                    Pattern.compile("([0-9A-Fa-f]{2}[:-]){5}[0-9A-Fa-f]{2}").asMatchPredicate()),
            Map.entry("uri", Formats::isUri),
            Map.entry("uuid", uuid("[0-9a-f]", HEX)),
            Map.entry("uuid3", uuid("3", HEX)),
            Map.entry("uuid4", uuid("4", "[89ab]")),
            Map.entry("uuid5", uuid("5", "[89ab]")),
            Map.entry(
                    "byte",
                    Pattern.compile("([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?")
                            .asMatchPredicate()),
            Map.entry(
                    "hexcolor",
                    Pattern.compile("#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})").asMatchPredicate()),
            Map.entry("isbn10", Pattern.compile("([0-9][ -]?){9}[0-9Xx]").asMatchPredicate()),
            Map.entry("isbn13", Pattern.compile("([0-9][ -]?){12}[0-9]").asMatchPredicate()),
            Map.entry("creditcard", Pattern.compile("([0-9][ -]?){13,19}").asMatchPredicate()),
            Map.entry("ssn", Pattern.compile("\\d{3}[- ]?\\d{2}[- ]?\\d{4}").asMatchPredicate()));

    private Formats() {}

    static boolean accept(String format, String text) {
        Predicate<String> known = KNOWN.get(format.replace("datetime", "date-time"));
        return known == null || known.test(text);
    }

    private static Predicate<String> uuid(String version, String variant) {
        String pattern = "(?i)" + HEX + "{8}-?" + HEX + "{4}-?" + version + HEX + "{3}-?" + variant + HEX + "{3}-?"
                + HEX + "{12}";
        return Pattern.compile(pattern).asMatchPredicate();
    }

    private static boolean isTime(String text) {
        return text.matches(
                        "(?i)\\d{4}-\\d\\d-\\d\\d[t ]([01]\\d|2[0-3]):[0-5]\\d:([0-5]\\d|60)(\\.\\d+)?(z|[+-]\\d\\d:\\d\\d)")
                && isDate(text.substring(0, 10));
    }

    private static boolean isDate(String text) {
        try {
            return text.matches("\\d{4}-\\d\\d-\\d\\d")
                    && !LocalDate.parse(text).equals(LocalDate.MIN);
        } catch (DateTimeException e) {
            return false;
        }
    }

    private static boolean isIpv6(String text) {
        if (!IPV6.matcher(text).matches() || text.contains(":::")) {
            return false;
        }
        String plain = text.contains(".") ? text.replaceFirst("(?<=:)" + IPV4 + "$", "0:0") : text;
        int shortcut = plain.indexOf("::");
        long groups = Arrays.stream(plain.split(":", -1))
                .filter(each -> !each.isEmpty())
                .count();
        boolean sized = Arrays.stream(plain.split(":", -1)).allMatch(each -> each.matches("[0-9A-Fa-f]{0,4}"));
        boolean once = shortcut < 0 || plain.indexOf("::", shortcut + 1) < 0;
        boolean edges = shortcut >= 0 || (!plain.startsWith(":") && !plain.endsWith(":"));
        return sized && once && edges && (shortcut < 0 ? groups == 8 : groups < 8);
    }

    private static boolean isCidr(String text) {
        int slash = text.indexOf('/');
        if (slash < 0 || !text.substring(slash + 1).matches("\\d{1,3}")) {
            return false;
        }
        int bits = Integer.parseInt(text.substring(slash + 1));
        String address = text.substring(0, slash);
        return address.matches(IPV4) ? bits <= 32 : isIpv6(address) && bits <= 128;
    }

    private static boolean isUri(String text) {
        try {
            URI uri = new URI(text);
            return uri.isAbsolute() || text.startsWith("/");
        } catch (URISyntaxException e) {
            return false;
        }
    }
}
