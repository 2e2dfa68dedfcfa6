// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import dev.mooring.storage.builder.WithBuilder;
import org.apiguardian.api.API;

/**
 * A lease, by which a leader is elected.
 *
 * @param metadata metadata
 * @param spec who holds it
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
@WithBuilder
public record Lease(ObjectMeta metadata, LeaseSpec spec) implements KubernetesObject, LeaseBuilder.With {}
