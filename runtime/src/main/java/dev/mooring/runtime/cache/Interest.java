// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.cache;

import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.LabelSelector;
import dev.mooring.storage.store.ListOptions;
import java.util.Optional;
import java.util.function.Predicate;
import org.apiguardian.api.API;

/**
 * Which objects of a kind are followed. Immutable.
 *
 * @param oneByOne whether each object is followed on its own: those that a controller needs ({@code Mailbox.needs}), and those that bear
 *     the labels
 * @param fields the field selector of the objects; empty for all, and where they are followed one by one
 * @param labels by which labels objects are found that are then followed one by one; absent if none are
 * @param shows whether the field selector shows an object, so that answers to reads and writes bring in no other; pure
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Interest(
        boolean oneByOne, String fields, Optional<LabelSelector> labels, Predicate<KubernetesObject> shows) {
    /** All objects. */
    public static final Interest ALL = new Interest(false, "", Optional.empty(), object -> true);

    /** Those that are asked for, each by a list and a watch of its name. */
    public static final Interest NAMED = new Interest(true, "", Optional.empty(), object -> true);

    /**
     * What a field selector shows.
     *
     * @param fields as {@code spec.nodeName=here}; an object that it shows is shown until it is deleted, since what a watch no longer
     *     shows counts as gone
     * @param shows whether it shows an object; pure
     */
    public static Interest selected(String fields, Predicate<KubernetesObject> shows) {
        return new Interest(false, fields, Optional.empty(), shows);
    }

    /** Those that are asked for, and those that bear labels. An object that loses the labels is dropped, which says nothing about it. */
    public static Interest namedOrLabelled(LabelSelector labels) {
        return new Interest(true, "", Optional.of(labels), object -> true);
    }

    /** What serves both: the same if they agree, else all. */
    public Interest and(Interest other) {
        boolean same = oneByOne == other.oneByOne && fields.equals(other.fields) && labels.equals(other.labels);
        return same ? this : ALL;
    }

    /** How objects are listed and watched that are not followed one by one. */
    public ListOptions options() {
        return ListOptions.ALL.withFields(fields);
    }
}
