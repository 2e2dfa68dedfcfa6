// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.customresources;

import dev.mooring.clusterstore.customresources.RuleLanguage.Expression;
import dev.mooring.clusterstore.fields.Fields;
import dev.mooring.clusterstore.validation.FieldError;
import dev.mooring.clusterstore.validation.FieldError.Problem;
import dev.mooring.clusterstore.validation.Problems;
import dev.mooring.storage.document.Document;
import java.util.Map;
import java.util.Optional;
import org.projectnessie.cel.common.types.BoolT;
import org.projectnessie.cel.common.types.Err;
import org.projectnessie.cel.common.types.ref.Val;

/** One of the rules that stand under {@code x-kubernetes-validations}. Immutable. */
final class CelRule {
    private final Document words;
    private final Expression rule;
    private final Optional<Expression> message;
    private final boolean looksBack;

    private CelRule(Document words, Expression rule, Optional<Expression> message) {
        this.words = words;
        this.rule = rule;
        this.message = message;
        this.looksBack = RuleLanguage.looksBack(text());
    }

    /** Reads a rule. */
    static CelRule of(Document words) {
        String message = Fields.text(words, "messageExpression");
        return new CelRule(
                words,
                Fields.isTrue(words, "optionalOldSelf")
                        ? new Expression(Optional.empty(), "optional values are not known here", false)
                        : RuleLanguage.read(Fields.text(words, "rule")),
                message.isEmpty() ? Optional.empty() : Optional.of(RuleLanguage.read(message)));
    }

    /** What is written. */
    String text() {
        return Fields.text(words, "rule");
    }

    /** Why it is not judged; empty if it is. */
    String whyNotJudged() {
        return rule.problem();
    }

    /** Whether it is no expression at all. */
    boolean isWrong() {
        return rule.isWrong();
    }

    /** Whether it compares with the value before, and so holds for changes alone. */
    boolean looksBack() {
        return looksBack;
    }

    /**
     * Says whether the rule holds.
     *
     * @param variables {@code self}, and {@code oldSelf} if it looks back
     * @param type of the value, by the schema
     * @param path where the value stands
     */
    void judge(Map<String, Object> variables, String type, String path, Problems problems) {
        if (rule.program().isEmpty()) {
            return;
        }
        Val holds = evaluated(rule, variables);
        if (Err.isError(holds)) {
            report(type, path, plain(holds) + " evaluating rule: " + ownMessage(), problems);
        } else if (holds != BoolT.True) {
            report(type, path, message(variables), problems);
        }
    }

    private static Val evaluated(Expression expression, Map<String, Object> variables) {
        try {
            return expression.of(variables);
        } catch (RuntimeException e) {
            return Err.newErr("%s", String.valueOf(e.getMessage()));
        }
    }

    private static String plain(Val error) {
        return error.toString().replaceFirst("^java[.a-zA-Z]*Exception: ", "");
    }

    private String message(Map<String, Object> variables) {
        return message.filter(each -> each.program().isPresent())
                .map(each -> evaluated(each, variables))
                .filter(each -> each.value() instanceof String && !Err.isError(each))
                .map(each -> each.value().toString().strip())
                .filter(each -> !each.isEmpty() && !each.contains("\n"))
                .orElseGet(this::ownMessage);
    }

    private String ownMessage() {
        String message = Fields.text(words, "message").strip();
        return message.isEmpty() ? "failed rule: " + text().strip() : message;
    }

    private void report(String type, String path, String detail, Problems problems) {
        String place = place(path);
        switch (Fields.text(words, "reason")) {
            case "FieldValueRequired" -> problems.required(place, detail);
            case "FieldValueForbidden" -> problems.forbidden(place, detail);
            case "FieldValueDuplicate" -> problems.duplicate(place, type);
            default -> problems.add(new FieldError(place, Problem.INVALID, "\"" + type + "\"", detail));
        }
    }

    private String place(String path) {
        String below = Fields.text(words, "fieldPath").replace("['", "[").replace("']", "]");
        String place = path.isEmpty() && below.startsWith(".") ? below.substring(1) : path + below;
        return place.isEmpty() ? "<nil>" : place;
    }
}
