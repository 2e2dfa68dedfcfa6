// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.rest.object;

import dev.mooring.apiserver.rest.exchange.RequestTarget;
import dev.mooring.apiserver.rest.exchange.RestFailure;
import dev.mooring.clusterstore.customresources.CustomResource;
import dev.mooring.clusterstore.customresources.CustomResourceDefinition;
import dev.mooring.storage.document.Document;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The warnings for definitions of custom resources and for deprecated versions. Pure functions. */
public final class Definitions {
    /** More of them would make a header that clients refuse. */
    private static final int MOST_RULES = 20;

    private static final int LONGEST_RULE = 200;

    private Definitions() {}

    /** Refuses new objects of a kind that is being taken away. */
    public static void requireLasting(RequestTarget target) {
        if (target.resource()
                .custom()
                .filter(each -> each.definition().deleting())
                .isPresent()) {
            throw RestFailure.of(
                    405, "MethodNotAllowed", "create not allowed while custom resource definition is terminating");
        }
    }

    /** Some warnings, followed by those about what was written. */
    public static List<String> andWarnings(List<String> some, RequestTarget target, Document written) {
        List<String> all = new ArrayList<>(some);
        all.addAll(warnings(target, written));
        return all;
    }

    /** What to warn of who has written an object. */
    public static List<String> warnings(RequestTarget target, Document written) {
        if (target.kind() == CustomResourceDefinition.KIND) {
            return rules(CustomResourceDefinition.of(written));
        }
        return deprecation(target).map(List::of).orElse(List.of());
    }

    private static Optional<String> deprecation(RequestTarget target) {
        return target.resource()
                .custom()
                .flatMap(each ->
                        each.version().deprecationWarning().map(text -> text.isEmpty() ? deprecated(each) : text));
    }

    private static String deprecated(CustomResource resource) {
        return resource.kind().apiVersion() + " " + resource.kind().name() + " is deprecated";
    }

    private static List<String> rules(CustomResourceDefinition definition) {
        Set<String> rules = new LinkedHashSet<>();
        definition.versions().forEach(each -> rules.addAll(each.rulesNotJudged()));
        List<String> warnings = new ArrayList<>();
        rules.stream()
                .limit(MOST_RULES)
                .forEach(each -> warnings.add("this server does not judge x-kubernetes-validations: "
                        + (each.length() > LONGEST_RULE ? each.substring(0, LONGEST_RULE) + "..." : each)));
        if (rules.size() > MOST_RULES) {
            warnings.add("this server does not judge x-kubernetes-validations: " + (rules.size() - MOST_RULES)
                    + " more rules");
        }
        return warnings;
    }
}
