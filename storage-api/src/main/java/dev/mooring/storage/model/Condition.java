// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import dev.mooring.storage.builder.WithBuilder;
import java.time.Instant;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * A named fact about an object.
 *
 * @param type what fact
 * @param status whether it holds
 * @param reason why, in one word
 * @param message for people
 * @param lastTransitionTime since when
 * @param lastProbeTime when it was last looked at
 * @param lastHeartbeatTime when it was last reported
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
@WithBuilder
public record Condition(
        String type,
        ConditionStatus status,
        String reason,
        String message,
        Optional<Instant> lastTransitionTime,
        Optional<Instant> lastProbeTime,
        Optional<Instant> lastHeartbeatTime)
        implements ConditionBuilder.With {}
