// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.admission;

import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.ObjectKey;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/** What an admission may look at: the state into which the write would go. Valid only while the admission runs. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface AdmissionView {
    /** An object; empty if it does not exist. */
    Optional<Document> get(Kind<?> kind, ObjectKey key);

    /** All objects of a kind in order of namespace, then name. */
    List<Document> list(Kind<?> kind);
}
