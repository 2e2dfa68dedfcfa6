// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.explain;

import dev.mooring.binder.explain.Explanation.Awaited;
import dev.mooring.binder.explain.Explanation.Remedy;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/**
 * An explanation for people to read. The first line is the answer: the object, its phase and what keeps it there. Then follow further
 * causes, facts, who is awaited, and what would help in the order of safety.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class ExplanationText {
    private ExplanationText() {}

    /** Lines of text, the last one ended too. */
    public static String of(Explanation explanation) {
        StringBuilder text = new StringBuilder();
        text.append(answer(explanation)).append('\n');
        explanation.causes().stream()
                .skip(1)
                .forEach(cause -> text.append("  ").append(cause.text()).append('\n'));
        explanation.facts().forEach(fact -> text.append("  ").append(fact).append('\n'));
        awaited(explanation, text);
        remedies(explanation.remedies(), text);
        return text.toString();
    }

    /** The same with the details behind it: the rule that decided, how many volumes each rule excludes, and the nearest misses. */
    public static String detailed(Explanation explanation) {
        StringBuilder text = new StringBuilder(of(explanation));
        explanation
                .rule()
                .ifPresent(rule -> text.append("Rule ")
                        .append(rule.id())
                        .append(", ")
                        .append(words(rule.name()))
                        .append(": ")
                        .append(rule.meaning())
                        .append('\n'));
        excluded(explanation, text);
        nearest(explanation, text);
        return text.toString();
    }

    /** The first line, not ended. */
    public static String answer(Explanation explanation) {
        return explanation.kind() + " " + explanation.object() + " is " + explanation.phase() + ": "
                + explanation.causes().get(0).text();
    }

    private static String words(String name) {
        return name.toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    private static void excluded(Explanation explanation, StringBuilder text) {
        if (explanation.excluded().isEmpty()) {
            return;
        }
        text.append("Of ")
                .append(explanation.volumes())
                .append(explanation.volumes() == 1 ? " volume:\n" : " volumes:\n");
        explanation
                .excluded()
                .forEach(excluded -> text.append(String.format(
                        Locale.ROOT, "  %6d %s (%s)\n", excluded.volumes(), excluded.text(), excluded.rule())));
    }

    private static void nearest(Explanation explanation, StringBuilder text) {
        if (explanation.nearest().isEmpty()) {
            return;
        }
        text.append("Nearest:\n");
        explanation
                .nearest()
                .forEach(near -> text.append("  ")
                        .append(near.volume())
                        .append(": ")
                        .append(near.differences().stream()
                                .map(difference -> difference.field() + " is " + shown(difference.actual())
                                        + ", wanted " + shown(difference.wanted()))
                                .collect(Collectors.joining("; ")))
                        .append('\n'));
    }

    private static String shown(String value) {
        return value.isEmpty() ? "none" : value;
    }

    private static void awaited(Explanation explanation, StringBuilder text) {
        for (Awaited awaited : explanation.awaited()) {
            text.append("Waiting for ").append(awaited.actor()).append(": ").append(awaited.what());
            awaited.since()
                    .ifPresent(since -> text.append(", since ")
                            .append(since)
                            .append(" (")
                            .append(ProvisioningCauses.text(Duration.between(since, explanation.takenAt())))
                            .append(')'));
            text.append('\n');
        }
    }

    private static void remedies(List<Remedy> remedies, StringBuilder text) {
        if (remedies.isEmpty()) {
            return;
        }
        text.append("What would help:\n");
        for (Remedy remedy : remedies) {
            text.append("  ").append(remedy.text()).append('\n');
            if (!remedy.command().isEmpty()) {
                text.append("    ").append(remedy.command()).append('\n');
            }
        }
    }
}
