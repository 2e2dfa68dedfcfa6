// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore;

import dev.mooring.clusterstore.customresources.CustomResources;
import dev.mooring.clusterstore.fieldmanagement.Authorship;
import dev.mooring.clusterstore.fieldmanagement.FieldManagement;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kind;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The author of a write.
 *
 * @param client as the store knows it; empty if it does not
 * @param authorship how that is put down in {@code managedFields}
 */
record Author(String client, Authorship authorship, CustomResources types) {
    /** A writer who knows the kinds that are always there. */
    Author(String client, Authorship authorship) {
        this(client, authorship, CustomResources.NONE);
    }

    /** The same writer at the time of a write. */
    Author knowing(CustomResources now) {
        return new Author(client, authorship, now);
    }

    private static final String[] MANAGED = {"metadata", "managedFields"};

    /** An object that was not changed, with its managers: they may be, if the writer says who they are, or if what they manage has grown. */
    Document noteNothing(Kind<?> kind, String subresource, Document object, Document wanted, Instant now) {
        boolean quiet = authorship.manager().isEmpty() && !authorship.applied() && !givesManagers(object, wanted);
        return quiet ? object : noteChange(kind, subresource, object, object, wanted, now);
    }

    private static boolean givesManagers(Document before, Document wanted) {
        return wanted.at(MANAGED)
                .filter(given -> !given.equals(before.at(MANAGED).orElse(List.of())))
                .isPresent();
    }

    /**
     * A new object with its managers.
     *
     * @param meant as its writer sent it, with what it means by default
     * @param object as it will be stored if no admission adds anything
     */
    Document noteCreation(Kind<?> kind, Document meant, Document object, Instant now) {
        if (authorship.manager().isEmpty()) {
            return object;
        }
        return withManagers(object, noted(kind, "", Document.empty(), meant, meant, now));
    }

    /**
     * A changed object with its managers.
     *
     * @param object as it will be stored if no admission adds anything
     * @param wanted what was sent: it may say who manages what
     */
    Document noteChange(
            Kind<?> kind, String subresource, Document before, Document object, Document wanted, Instant now) {
        if (authorship.applied()) {
            boolean same = FieldManagement.hasSameManagers(before, wanted);
            return withManagers(object, same ? before : wanted);
        } else if (!FieldManagement.isTracked(before)
                && authorship.manager().isEmpty()
                && !givesManagers(before, wanted)) {
            return object;
        }
        return noted(kind, subresource, before, object, wanted, now);
    }

    private Document noted(
            Kind<?> kind, String subresource, Document before, Document object, Document wanted, Instant now) {
        Optional<FieldManagement> management = types.management(kind, subresource);
        if (management.isEmpty()) {
            return object;
        }
        List<Object> managers =
                management.get().afterUpdate(before, withManagers(object, wanted), authorship.nameFor(client), now);
        return managers.isEmpty() ? object.without(MANAGED) : object.with(managers, MANAGED);
    }

    private static Document withManagers(Document object, Document source) {
        return source.at(MANAGED)
                .map(managers -> object.with(managers, MANAGED))
                .orElseGet(() -> object.without(MANAGED));
    }
}
