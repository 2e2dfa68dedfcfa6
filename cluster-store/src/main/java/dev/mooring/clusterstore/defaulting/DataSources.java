// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.defaulting;

import dev.mooring.clusterstore.fields.Fields;
import dev.mooring.storage.document.Document;

/** The two fields of a claim that say what its volume is filled with (semantics/binder §1.12). */
final class DataSources {
    private static final String[] SOURCE = {"spec", "dataSource"};
    private static final String[] REFERENCE = {"spec", "dataSourceRef"};

    private DataSources() {}

    /** A dataSource that is neither a claim nor a snapshot is dropped without a word. */
    static Document compatible(Document claim) {
        Document source = Fields.object(claim, SOURCE);
        String kind = Fields.text(source, "kind");
        String group = Fields.text(source, "apiGroup");
        boolean isClaim = group.isEmpty() && kind.equals("PersistentVolumeClaim");
        boolean isSnapshot = group.equals("snapshot.storage.k8s.io") && kind.equals("VolumeSnapshot");
        return isClaim || isSnapshot ? claim : claim.without(SOURCE);
    }

    /** Each is copied to the other if that is missing and no namespace is named. */
    static Document normalised(Document claim) {
        boolean source = Fields.isSet(claim, SOURCE);
        boolean reference = Fields.isSet(claim, REFERENCE);
        if (source && !reference) {
            return claim.with(claim.at(SOURCE).orElseThrow(), REFERENCE);
        }
        boolean elsewhere =
                !Fields.text(claim, "spec", "dataSourceRef", "namespace").isEmpty();
        return reference && !source && !elsewhere
                ? claim.with(claim.at(REFERENCE).orElseThrow(), SOURCE)
                : claim;
    }
}
