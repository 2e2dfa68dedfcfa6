// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.admission;

import dev.mooring.clusterstore.fields.Fields;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.Kinds;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * Gives a new claim that names no class the default one: of several the newest, of those the first by name. A class of {@code ""}, and
 * the older annotation, count as named (semantics/binder §1.12). Stateless.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class DefaultStorageClass implements Admission {
    private static final Comparator<Document> BEST_LAST = Comparator.<Document, Instant>comparing(storageClass ->
                    Fields.time(storageClass, "metadata", "creationTimestamp").orElse(Instant.MIN))
            .thenComparing(Fields::name, Comparator.reverseOrder());

    /** Makes the rule. */
    public DefaultStorageClass() {}

    @Override
    public Document mutate(AdmissionRequest request, AdmissionView view) {
        Document claim = request.object();
        boolean named = Fields.isSet(claim, "spec", "storageClassName")
                || Fields.annotation(claim, Annotations.BETA_STORAGE_CLASS).isPresent();
        if (!request.creates(Kinds.PERSISTENT_VOLUME_CLAIM) || named) {
            return claim;
        }
        Optional<Document> best = view.list(Kinds.STORAGE_CLASS).stream()
                .filter(DefaultStorageClass::isDefault)
                .max(BEST_LAST);
        return best.map(storageClass -> claim.with(Fields.name(storageClass), "spec", "storageClassName"))
                .orElse(claim);
    }

    private static boolean isDefault(Document storageClass) {
        return Fields.annotation(storageClass, Annotations.IS_DEFAULT_CLASS)
                        .filter("true"::equals)
                        .isPresent()
                || Fields.annotation(storageClass, Annotations.BETA_IS_DEFAULT_CLASS)
                        .filter("true"::equals)
                        .isPresent();
    }
}
