// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import dev.mooring.storage.builder.WithBuilder;
import org.apiguardian.api.API;

/**
 * What CSI drivers say of a node.
 *
 * @param metadata metadata
 * @param spec the drivers
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
@WithBuilder
public record CSINode(ObjectMeta metadata, CSINodeSpec spec) implements KubernetesObject, CSINodeBuilder.With {}
