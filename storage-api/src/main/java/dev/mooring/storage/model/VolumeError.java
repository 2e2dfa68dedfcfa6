// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import dev.mooring.storage.builder.WithBuilder;
import java.time.Instant;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * The last failure of an attachment.
 *
 * @param time when
 * @param message for people
 * @param errorCode the code of gRPC for it, if there is one; 8 tells a node that it has no room for more attachments (semantics/
 *     attach-and-mount §1.13)
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
@WithBuilder
public record VolumeError(Optional<Instant> time, String message, Optional<Long> errorCode)
        implements VolumeErrorBuilder.With {}
