// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore;

import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.LabelSelector;
import dev.mooring.storage.model.LabelSelectorRequirement;
import dev.mooring.storage.store.ListOptions;
import dev.mooring.storage.store.StoreResult.Failure;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Which objects a list or watch shows, read once. */
final class Selection {
    private static final Set<String> COMPARISONS = Set.of("Gt", "Lt");

    private final String namespace;
    private final Optional<LabelSelector> labels;
    private final FieldSelector fields;

    private Selection(String namespace, Optional<LabelSelector> labels, FieldSelector fields) {
        this.namespace = namespace;
        this.labels = labels;
        this.fields = fields;
    }

    /**
     * Reads the selectors; refuses them as invalid if they are malformed.
     *
     * @param more fields that the kind selects by, since its definition says so
     */
    static Selection of(Kind<?> kind, List<String> more, ListOptions options) {
        options.labels().flatMap(Selection::problem).ifPresent(problem -> {
            throw new Refused(Failure.INVALID, "invalid label selector: " + problem);
        });
        return new Selection(options.namespace(), options.labels(), FieldSelector.parse(kind, more, options.fields()));
    }

    /** Queries have two operators that selectors in objects have not. */
    private static Optional<String> problem(LabelSelector labels) {
        return labels.withMatchExpressions(labels.matchExpressions().stream()
                        .filter(each -> !isComparison(each))
                        .toList())
                .problem();
    }

    private static boolean isComparison(LabelSelectorRequirement each) {
        return COMPARISONS.contains(each.operator())
                && each.values().size() == 1
                && isInteger(each.values().get(0));
    }

    private static boolean isInteger(String text) {
        try {
            long unused = Long.parseLong(text);
            return true;
        } catch (NumberFormatException e) {
            return false;
        }
    }

    String namespace() {
        return namespace;
    }

    boolean matches(StoredDocument object) {
        return (namespace.isEmpty() || namespace.equals(object.key().namespace()))
                && (labels.isEmpty()
                        || labels.get().matches(object.value().metadata().labels()))
                && fields.matches(object.document());
    }
}
