// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import java.util.Optional;
import org.apiguardian.api.API;

/**
 * A directory that lives as long as its pod, as the source of a pod's volume.
 *
 * @param medium what it is on, such as {@code Memory}; empty for the disk
 * @param sizeLimit how large it may become, as it is written; absent for no limit
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record EmptyDirSource(String medium, Optional<String> sizeLimit) {
    /** The source type. */
    public static final String TYPE = "emptyDir";

    /** The view of a source; empty if it is of another type. A medium of a wrong type reads as absent; validation names it. */
    public static Optional<EmptyDirSource> of(VolumeSource source) {
        return source.type().equals(TYPE)
                ? Optional.of(new EmptyDirSource(
                        source.text("medium"),
                        source.attributes().at("sizeLimit").map(Object::toString)))
                : Optional.empty();
    }

    /** The source; absent fields are left out. */
    public VolumeSource toSource() {
        return new SourceFields(TYPE)
                .put("medium", medium)
                .put("sizeLimit", sizeLimit.orElse(""))
                .build();
    }

    /** The limit, if it is a quantity. */
    public Optional<Quantity> limit() {
        return sizeLimit.flatMap(Quantity::tryParse);
    }

    /** The same on another medium. */
    public EmptyDirSource withMedium(String newMedium) {
        return new EmptyDirSource(newMedium, sizeLimit);
    }

    /** The same with another limit. */
    public EmptyDirSource withLimit(Quantity limit) {
        return new EmptyDirSource(medium, Optional.of(limit.toString()));
    }
}
