// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.validation;

import dev.mooring.clusterstore.fields.Fields;
import dev.mooring.storage.document.Document;

/** The rules of VolumeAttachments. */
final class AttachmentRules implements KindRules {
    @Override
    public void state(Document object, Problems problems) {
        SourceRules.driverName("spec.attacher", Fields.text(object, "spec", "attacher"), problems);
        problems.given("spec.nodeName", Fields.text(object, "spec", "nodeName"), Syntax::subdomain);
        String volume = Fields.text(object, "spec", "source", "persistentVolumeName");
        boolean inline = Fields.isSet(object, "spec", "source", "inlineVolumeSpec");
        if (volume.isEmpty() && !inline) {
            problems.required("spec.source", "must specify exactly one of inlineVolumeSpec and persistentVolumeName");
        } else if (!volume.isEmpty() && inline) {
            problems.forbidden("spec.source", "must specify exactly one of inlineVolumeSpec and persistentVolumeName");
        } else if (!volume.isEmpty()) {
            problems.syntax("spec.source.persistentVolumeName", volume, Syntax.subdomain(volume));
        }
    }

    @Override
    public void change(Document before, Document after, Problems problems) {
        problems.immutable("spec", before.at("spec"), after.at("spec"));
    }
}
