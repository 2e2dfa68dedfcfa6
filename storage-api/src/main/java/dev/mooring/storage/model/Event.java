// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import dev.mooring.storage.builder.WithBuilder;
import java.time.Instant;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * An event about an object.
 *
 * @param metadata metadata
 * @param involvedObject about what
 * @param reason in one word
 * @param message for people
 * @param type {@code Normal} or {@code Warning}
 * @param count how often
 * @param firstTimestamp first time
 * @param lastTimestamp last time
 * @param source who saw it
 * @param reportingComponent who says it
 * @param reportingInstance which instance of it
 * @param action what was done
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
@WithBuilder
public record Event(
        ObjectMeta metadata,
        ObjectReference involvedObject,
        String reason,
        String message,
        String type,
        long count,
        Optional<Instant> firstTimestamp,
        Optional<Instant> lastTimestamp,
        EventSource source,
        String reportingComponent,
        String reportingInstance,
        String action)
        implements KubernetesObject, EventBuilder.With {}
