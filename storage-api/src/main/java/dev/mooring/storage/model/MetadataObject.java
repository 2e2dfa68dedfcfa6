// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import org.apiguardian.api.API;

/**
 * An object of which only the metadata is read. Its document keeps everything else.
 *
 * @param metadata metadata
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record MetadataObject(ObjectMeta metadata) implements KubernetesObject {}
