// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import dev.mooring.storage.document.Document;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * A claim that is made for one pod, as the source of a pod's volume.
 *
 * @param volumeClaimTemplate what the claim is made of: {@code metadata} and {@code spec}; absent if there is no template
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record EphemeralSource(Optional<Document> volumeClaimTemplate) {
    /** The source type. */
    public static final String TYPE = "ephemeral";

    /** The field with the template. */
    public static final String TEMPLATE = "volumeClaimTemplate";

    /** The view of a source; empty if it is of another type. Fields of a wrong type read as absent; validation names them. */
    public static Optional<EphemeralSource> of(VolumeSource source) {
        return source.type().equals(TYPE)
                ? Optional.of(new EphemeralSource(source.attributes().object(TEMPLATE)))
                : Optional.empty();
    }

    /** The source; absent fields are left out. */
    public VolumeSource toSource() {
        SourceFields fields = new SourceFields(TYPE);
        volumeClaimTemplate.ifPresent(template -> fields.put(TEMPLATE, template.asMap()));
        return fields.build();
    }
}
