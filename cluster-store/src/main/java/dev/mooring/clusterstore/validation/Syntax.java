// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.validation;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.apiguardian.api.API;

/**
 * Kubernetes' syntaxes of names. Each check answers with the broken rule in the API server's words; empty if no rule is broken. An object
 * may hold 100,000 names, so they are read by loops: a regular expression takes several times as long.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class Syntax {
    static final int LABEL_LENGTH = 63;
    static final int SUBDOMAIN_LENGTH = 253;

    /** At most, in UTF-8. */
    private static final int BYTES_OF_A_CHAR = 3;

    private static final String SUBDOMAIN_RULE =
            "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric"
                    + " characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for"
                    + " validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
    private static final String LABEL_RULE =
            "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-',"
                    + " and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is"
                    + " '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
    private static final String DNS1035_RULE =
            "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an"
                    + " alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";
    private static final String QUALIFIED_RULE =
            "name part must consist of alphanumeric characters, '-', '_' or '.', and must"
                    + " start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation"
                    + " is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
    private static final String LABEL_VALUE_RULE =
            "a valid label must be an empty string or consist of alphanumeric characters,"
                    + " '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345',"
                    + " regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
    private static final String CONFIG_KEY_RULE =
            "a valid config key must consist of alphanumeric characters, '-', '_' or '.'"
                    + " (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";

    private Syntax() {}

    private static boolean isSubdomain(String value) {
        int begin = 0;
        for (int dot = value.indexOf('.'); dot >= 0; dot = value.indexOf('.', begin)) {
            if (!isLabel(value, begin, dot)) {
                return false;
            }
            begin = dot + 1;
        }
        return isLabel(value, begin, value.length());
    }

    private static boolean isLabel(String value, int begin, int end) {
        if (begin == end || value.charAt(begin) == '-' || value.charAt(end - 1) == '-') {
            return false;
        }
        for (int i = begin; i < end; i++) {
            char c = value.charAt(i);
            if (!isLowerCase(c) && !isDigit(c) && c != '-') {
                return false;
            }
        }
        return true;
    }

    private static boolean isQualified(String value) {
        return isKey(value) && isAlphanumeric(value.charAt(0)) && isAlphanumeric(value.charAt(value.length() - 1));
    }

    private static boolean isKey(String value) {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (!isAlphanumeric(c) && c != '-' && c != '_' && c != '.') {
                return false;
            }
        }
        return !value.isEmpty();
    }

    private static boolean isAlphanumeric(char c) {
        return isLowerCase(c) || isDigit(c) || (c >= 'A' && c <= 'Z');
    }

    private static boolean isLowerCase(char c) {
        return c >= 'a' && c <= 'z';
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    /** A DNS subdomain: most names. */
    public static Optional<String> subdomain(String value) {
        return check(value, SUBDOMAIN_LENGTH, Syntax::isSubdomain, SUBDOMAIN_RULE);
    }

    /** What can be a part of a path: names of roles. */
    static Optional<String> pathSegment(String value) {
        if (value.equals(".") || value.equals("..")) {
            return Optional.of("may not be '" + value + "'");
        }
        return List.of("/", "%").stream()
                .filter(value::contains)
                .findFirst()
                .map(forbidden -> "may not contain '" + forbidden + "'");
    }

    /** A DNS label: namespaces, volumes of pods. */
    static Optional<String> label(String value) {
        return check(value, LABEL_LENGTH, text -> isLabel(text, 0, text.length()), LABEL_RULE);
    }

    /** A name with an optional prefix: keys of labels and annotations, finalizers. */
    static Optional<String> qualifiedName(String value) {
        int slash = value.indexOf('/');
        if (slash != value.lastIndexOf('/')) {
            return Optional.of(
                    "a qualified name must consist of alphanumeric characters, '-', '_' or '.', with an optional DNS"
                            + " subdomain prefix and '/' (e.g. 'example.com/MyName')");
        }
        if (slash == 0) {
            return Optional.of("prefix part must be non-empty");
        }
        Optional<String> prefix = slash < 0
                ? Optional.empty()
                : subdomain(value.substring(0, slash)).map(rule -> "prefix part " + rule);
        String name = value.substring(slash + 1);
        return prefix.or(() -> name.isEmpty()
                ? Optional.of("name part must be non-empty")
                : check(name, LABEL_LENGTH, Syntax::isQualified, QUALIFIED_RULE).map(Syntax::ofNamePart));
    }

    private static String ofNamePart(String rule) {
        return rule.startsWith("name part") ? rule : "name part " + rule;
    }

    /** A DNS label that begins with a letter (RFC 1035). */
    public static Optional<String> dns1035Label(String value) {
        return check(value, LABEL_LENGTH, each -> each.matches("[a-z]([-a-z0-9]*[a-z0-9])?"), DNS1035_RULE);
    }

    /** The value of a label. */
    static Optional<String> labelValue(String value) {
        return value.isEmpty() ? Optional.empty() : check(value, LABEL_LENGTH, Syntax::isQualified, LABEL_VALUE_RULE);
    }

    /** A key of a secret or config map. */
    static Optional<String> configKey(String value) {
        if (value.equals(".") || value.equals("..")) {
            return Optional.of("must not be '" + value + "'");
        }
        Optional<String> broken = check(value, SUBDOMAIN_LENGTH, Syntax::isKey, CONFIG_KEY_RULE);
        // Where a key becomes a file, its writer chooses those names.
        return broken.isEmpty() && value.startsWith("..") ? Optional.of("must not start with '..'") : broken;
    }

    private static Optional<String> check(String value, int limit, Predicate<String> syntax, String rule) {
        if (isLonger(value, limit)) {
            return Optional.of("must be no more than " + limit + " bytes");
        }
        return syntax.test(value) ? Optional.empty() : Optional.of(rule);
    }

    private static boolean isLonger(String value, int bytes) {
        boolean fits = value.length() <= bytes / BYTES_OF_A_CHAR;
        return !fits && value.getBytes(StandardCharsets.UTF_8).length > bytes;
    }
}
