// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.store;

import dev.mooring.storage.builder.WithBuilder;
import dev.mooring.storage.document.FieldSelection;
import dev.mooring.storage.model.LabelSelector;
import java.util.Optional;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * Which objects a list or watch shows.
 *
 * @param namespace only this namespace; empty for all, and for cluster-scoped kinds
 * @param labels only objects whose labels match
 * @param fields only objects whose fields match, as {@code metadata.name=x,spec.nodeName!=y}; empty for all
 * @param limit at most so many objects in one page; 0 for no limit
 * @param continueToken where an earlier page ended; empty for the first page
 * @param kept what of each object is of interest: a store may leave out the rest, which then reads as absent
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
@WithBuilder
public record ListOptions(
        String namespace,
        Optional<LabelSelector> labels,
        String fields,
        int limit,
        String continueToken,
        FieldSelection kept)
        implements ListOptionsBuilder.With {
    /** Everything, in one page. */
    public static final ListOptions ALL = new ListOptions("", Optional.empty(), "", 0, "");

    private static final String NAME_IS = "metadata.name=";

    /** Objects as a whole. */
    public ListOptions(
            String namespace, Optional<LabelSelector> labels, String fields, int limit, String continueToken) {
        this(namespace, labels, fields, limit, continueToken, FieldSelection.ALL);
    }

    /** Everything in one namespace, in one page. */
    public static ListOptions inNamespace(String namespace) {
        return new ListOptions(namespace, Optional.empty(), "", 0, "");
    }

    /** Whether the selection is by the name of one object, which an API server answers by one read of its database. */
    public boolean isByName() {
        return Stream.of(fields.split(",", -1)).anyMatch(each -> each.startsWith(NAME_IS));
    }

    /** The same selection, the page that follows. */
    public ListOptions after(String token) {
        return new ListOptions(namespace, labels, fields, limit, token, kept);
    }

    /** The same selection, narrowed by labels. */
    public ListOptions withLabels(LabelSelector selector) {
        return new ListOptions(namespace, Optional.of(selector), fields, limit, continueToken, kept);
    }

    /** The same selection, of whose objects only a part is of interest. */
    public ListOptions keeping(FieldSelection newKept) {
        return new ListOptions(namespace, labels, fields, limit, continueToken, newKept);
    }
}
