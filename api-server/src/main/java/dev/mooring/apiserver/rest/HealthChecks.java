// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.rest;

import dev.mooring.apiserver.rest.exchange.Answer;
import dev.mooring.apiserver.rest.exchange.RestFailure;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The paths that say whether the server is well: {@code /livez}, {@code /readyz} and {@code /healthz}, each also with {@code ?verbose} and with
 * the name of one check behind it, as kube-apiserver has them.
 */
final class HealthChecks {
    /** Whether the server answers at all. */
    private static final String PING = "ping";
    /** Whether the controllers and the store behind it work. */
    private static final String CONTROLLERS = "controllers";

    private static final Pattern PATH =
            Pattern.compile("/(healthz|livez|readyz)(?:/(" + PING + "|" + CONTROLLERS + ")?)?");

    private HealthChecks() {}

    /**
     * The answer to a request for one of these paths; empty for another path.
     *
     * @param sickness says what is wrong; empty if all is well
     */
    static Optional<Answer> answer(
            String method, String path, @Nullable String query, Supplier<Optional<String>> sickness) {
        Matcher matcher = PATH.matcher(path);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        String check = Optional.ofNullable(matcher.group(2)).orElse("");
        if (!Router.reads(method)) {
            return Optional.of(ApiHandler.failure(RestFailure.methodNotAllowed()));
        }
        Optional<String> why = check.equals(PING) ? Optional.empty() : sickness.get();
        boolean verbose = check.isEmpty() && query != null && query.matches("(.*&)?verbose(=.*)?(&.*)?");
        String text = verbose ? listed(matcher.group(1), why) : why.orElse("ok");
        return Optional.of(Answer.text(why.isPresent() ? 500 : 200, text));
    }

    private static String listed(String path, Optional<String> why) {
        String controllers =
                why.map(text -> "[-]" + CONTROLLERS + " failed: " + text).orElse("[+]" + CONTROLLERS + " ok");
        return "[+]" + PING + " ok\n" + controllers + "\n" + path + " check " + (why.isPresent() ? "failed" : "passed")
                + "\n";
    }
}
