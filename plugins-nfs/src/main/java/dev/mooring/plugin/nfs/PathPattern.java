// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.nfs;

import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.ProvisionRequest;
import dev.mooring.storage.spi.Refusal;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a claim's directory lies on the share. Both peers' spellings of variables are understood; what a claim's author writes can name
 * one element and nothing else (semantics/plugins §2.9). Pure.
 *
 * @param text the pattern
 * @param allowSlashInValues whether a value may be several elements
 */
record PathPattern(String text, boolean allowSlashInValues) {
    static final String DEFAULT = "${.PVC.namespace}-${.PVC.name}-${pv.metadata.name}";

    /** Where the caller does not say whose claim it is, as callers of a CSI driver need not. */
    private static final String DEFAULT_WITHOUT_CLAIM = "${pv.metadata.name}";

    private static final Pattern VARIABLE = Pattern.compile("\\$\\{([^}]*)}");
    private static final Pattern KEYED = Pattern.compile("\\.?PVC\\.(labels|annotations)\\.(.+)");
    private static final Pattern VALUE = Pattern.compile("[A-Za-z0-9._-]{1,128}");
    private static final Pattern ELEMENT = Pattern.compile("[A-Za-z0-9._-]{1,255}");
    private static final int MOST_ELEMENTS = 8;
    private static final int MOST_BYTES = 1024;

    /** The path for a claim, relative to the share; refused as INVALID if it would not be one of its own. */
    Outcome<String> expand(ProvisionRequest request) {
        boolean claimed = !request.claim().namespace().isEmpty();
        String pattern = text.equals(DEFAULT) && !claimed ? DEFAULT_WITHOUT_CLAIM : text;
        StringBuilder expanded = new StringBuilder();
        Matcher matcher = VARIABLE.matcher(pattern);
        int end = 0;
        while (matcher.find()) {
            String variable = matcher.group(1);
            Optional<String> value = value(variable, request);
            if (!claimed && !variable.equals("pv.metadata.name")) {
                return invalid(
                        "the value of ${" + variable + "} is not known, since the caller does not name the claim;"
                                + " external-provisioner does with --extra-create-metadata");
            }
            if (value.isEmpty()) {
                return invalid("the claim has no value for ${" + variable + "}");
            }
            if (!isFit(value.get())) {
                return invalid("the value of ${" + variable + "} cannot be a directory's name");
            }
            expanded.append(pattern, end, matcher.start()).append(value.get());
            end = matcher.end();
        }
        return checked(expanded.append(pattern.substring(end)).toString());
    }

    private static Optional<String> value(String variable, ProvisionRequest request) {
        Matcher keyed = KEYED.matcher(variable);
        if (keyed.matches()) {
            return Optional.ofNullable(
                    (keyed.group(1).equals("labels") ? request.claimLabels() : request.claimAnnotations())
                            .get(keyed.group(2)));
        }
        return switch (variable) {
            case ".PVC.namespace", "PVC.namespace", "pvc.metadata.namespace" ->
                Optional.of(request.claim().namespace());
            case ".PVC.name", "PVC.name", "pvc.metadata.name" ->
                Optional.of(request.claim().name());
            case "pv.metadata.name" -> Optional.of(request.volumeName());
            default -> Optional.empty();
        };
    }

    private boolean isFit(String value) {
        return allowSlashInValues
                ? Arrays.stream(value.split("/", -1)).allMatch(PathPattern::isFitElement)
                : isFitElement(value);
    }

    private static boolean isFitElement(String value) {
        return VALUE.matcher(value).matches() && !isReserved(value);
    }

    private static boolean isReserved(String element) {
        return element.equals(".")
                || element.equals("..")
                || element.startsWith("archived-")
                || element.startsWith(".mooring");
    }

    private static Outcome<String> checked(String path) {
        List<String> elements = List.of(path.split("/", -1));
        boolean good = elements.size() <= MOST_ELEMENTS
                && path.getBytes(StandardCharsets.UTF_8).length <= MOST_BYTES
                && elements.stream()
                        .allMatch(element -> ELEMENT.matcher(element).matches() && !isReserved(element));
        return good
                ? Outcome.done(path)
                : invalid("it gives '" + path + "', which is not the path of a directory in the share");
    }

    private static Outcome<String> invalid(String why) {
        return Outcome.refused(Refusal.INVALID, "parameter pathPattern: " + why);
    }
}
