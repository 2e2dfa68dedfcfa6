// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import dev.mooring.storage.builder.WithBuilder;
import org.apiguardian.api.API;

/**
 * A CSI driver of the cluster.
 *
 * @param metadata metadata
 * @param spec what it wants
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
@WithBuilder
public record CSIDriver(ObjectMeta metadata, CSIDriverSpec spec) implements KubernetesObject, CSIDriverBuilder.With {}
