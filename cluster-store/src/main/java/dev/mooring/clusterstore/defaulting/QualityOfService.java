// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.defaulting;

import dev.mooring.clusterstore.fields.Fields;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Quantity;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The class by which a node chooses the pods that lose memory first: Guaranteed if all containers limit processor and memory and request as much,
 * BestEffort if none requests or limits either, else Burstable. What the pod asks for as a whole counts instead of what its containers ask for.
 */
final class QualityOfService {
    private static final List<String> COMPUTE = List.of("cpu", "memory");

    private QualityOfService() {}

    /** The class of a pod, as {@code status.qosClass} has it. */
    static String of(Document pod) {
        Document whole = Fields.object(pod, "spec", "resources");
        List<Document> demands = new ArrayList<>();
        if (asks(whole)) {
            demands.add(whole);
        } else {
            for (String list : List.of("initContainers", "containers")) {
                Fields.objects(pod, "spec", list)
                        .forEach(container -> demands.add(Fields.object(container, "resources")));
            }
        }
        if (demands.stream().noneMatch(QualityOfService::asks)) {
            return "BestEffort";
        }
        return demands.stream().allMatch(QualityOfService::isGuaranteed) ? "Guaranteed" : "Burstable";
    }

    private static boolean asks(Document resources) {
        return !resources.isEmpty()
                && COMPUTE.stream()
                        .anyMatch(each -> amount(resources, "requests", each).isPresent()
                                || amount(resources, "limits", each).isPresent());
    }

    /** What is only limited is requested as much. */
    private static boolean isGuaranteed(Document resources) {
        return COMPUTE.stream().allMatch(each -> {
            Optional<Quantity> limit = amount(resources, "limits", each);
            Optional<Quantity> request = amount(resources, "requests", each).or(() -> limit);
            return limit.isPresent() && limit.get().compareTo(request.orElseThrow()) == 0;
        });
    }

    /** Nothing asked for counts as no demand. */
    private static Optional<Quantity> amount(Document resources, String group, String resource) {
        return resources
                .at(group, resource)
                .flatMap(QualityOfService::parsed)
                .filter(amount -> amount.compareTo(Quantity.ZERO) > 0);
    }

    /** Validation refuses what is no amount. */
    private static Optional<Quantity> parsed(Object value) {
        try {
            return Optional.of(Quantity.parse(value.toString()));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
