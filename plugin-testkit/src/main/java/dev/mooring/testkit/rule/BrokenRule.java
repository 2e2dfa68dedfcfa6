// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit.rule;

import org.apiguardian.api.API;

/** A plugin broke a rule of its contract. The message says which one, what happened, why it matters, and what to do. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class BrokenRule extends AssertionError {
    private static final long serialVersionUID = 1;

    /** The rule that was broken. */
    private final Rule rule;
    /** What was seen, without the rest of a stack. */
    private final String happened;

    /**
     * A breach.
     *
     * @param rule the rule
     * @param happened what was seen, as a sentence
     */
    public BrokenRule(Rule rule, String happened) {
        super(text(rule, happened));
        this.rule = rule;
        this.happened = firstLine(happened);
    }

    /**
     * A breach with its cause.
     *
     * @param rule the rule
     * @param happened what was seen, as a sentence
     * @param cause what the plugin threw
     */
    public BrokenRule(Rule rule, String happened, Throwable cause) {
        super(text(rule, happened), cause);
        this.rule = rule;
        this.happened = firstLine(happened);
    }

    /** The rule that was broken. */
    public Rule rule() {
        return rule;
    }

    /** What was seen, in one line. */
    public String happened() {
        return happened;
    }

    private static String firstLine(String text) {
        return text.lines().findFirst().orElse("");
    }

    private static String text(Rule rule, String happened) {
        return rule.id() + " " + rule.text() + "\n  happened:   " + happened + "\n  it matters: " + rule.why()
                + "\n  do:         " + rule.remedy();
    }
}
