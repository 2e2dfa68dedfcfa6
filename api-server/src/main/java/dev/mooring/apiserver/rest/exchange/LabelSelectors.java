// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.rest.exchange;

import dev.mooring.clusterstore.validation.Validation;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.LabelSelector;
import dev.mooring.storage.model.LabelSelectorRequirement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads label selectors as they stand in queries: {@code a=b,c!=d,e in (x,y),f notin (z),g,!h,i>1}. */
public final class LabelSelectors {
    private static final String KEY = "\\s*([A-Za-z0-9][-A-Za-z0-9_./]*)\\s*";
    private static final Pattern EQUAL = Pattern.compile(KEY + "(=|==|!=)\\s*([-A-Za-z0-9_.]*)\\s*");
    private static final Pattern IN = Pattern.compile(KEY + "\\s(in|notin)\\s*\\(([^()]*)\\)\\s*");
    private static final Pattern ORDER = Pattern.compile(KEY + "([<>])\\s*([-+0-9]*)\\s*");
    private static final Pattern EXISTS = Pattern.compile("\\s*(!?)" + KEY);

    private static final Validation LABELS = Validation.none();

    private LabelSelectors() {}

    public static Optional<LabelSelector> parse(String text) {
        if (text.isBlank()) {
            return Optional.empty();
        }
        List<LabelSelectorRequirement> all = new ArrayList<>();
        for (String part : text.split(",(?![^(]*\\))", -1)) {
            LabelSelectorRequirement requirement = requirement(part, text);
            requireLabels(requirement, part);
            all.add(requirement);
        }
        return Optional.of(new LabelSelector(Map.of(), all));
    }

    private static void requireLabels(LabelSelectorRequirement requirement, String part) {
        String key = requirement.key();
        if (!canBe(key, "")) {
            throw RestFailure.badRequest(
                    "unable to parse requirement: invalid label key \"" + key + "\" in " + part.strip());
        }
        for (String value : requirement.values()) {
            if (!requirement.operator().endsWith("t") && !canBe(key, value)) {
                throw RestFailure.badRequest("unable to parse requirement: invalid label value: \"" + value
                        + "\": at key: \"" + key + "\" in " + part.strip());
            }
        }
    }

    /** Whether an object may have this label: if none may, {@code a!=-x} would mean all of them. */
    private static boolean canBe(String key, String value) {
        Document labelled = Document.of(Map.of("metadata", Map.of("name", "a", "labels", Map.of(key, value))));
        return LABELS.onCreate(Kinds.NAMESPACE, labelled).isEmpty();
    }

    private static LabelSelectorRequirement requirement(String part, String text) {
        Matcher in = IN.matcher(part);
        if (in.matches()) {
            List<String> values = new ArrayList<>();
            for (String value : in.group(3).split(",", -1)) {
                values.add(value.strip());
            }
            return new LabelSelectorRequirement(in.group(1), in.group(2).equals("in") ? "In" : "NotIn", values);
        }
        Matcher equal = EQUAL.matcher(part);
        if (equal.matches()) {
            String operator = equal.group(2).equals("!=") ? "NotIn" : "In";
            return new LabelSelectorRequirement(equal.group(1), operator, List.of(equal.group(3)));
        }
        Matcher order = ORDER.matcher(part);
        if (order.matches()) {
            String operator = order.group(2).equals(">") ? "Gt" : "Lt";
            return new LabelSelectorRequirement(order.group(1), operator, List.of(integer(order.group(3), text)));
        }
        Matcher exists = EXISTS.matcher(part);
        if (exists.matches()) {
            String operator = exists.group(1).isEmpty() ? "Exists" : "DoesNotExist";
            return new LabelSelectorRequirement(exists.group(2), operator, List.of());
        }
        throw RestFailure.badRequest("unable to parse requirement: " + part.strip() + " in " + text);
    }

    private static String integer(String value, String text) {
        try {
            return Long.toString(Long.parseLong(value));
        } catch (NumberFormatException e) {
            throw RestFailure.badRequest("for > and < the value must be an integer: " + text);
        }
    }
}
