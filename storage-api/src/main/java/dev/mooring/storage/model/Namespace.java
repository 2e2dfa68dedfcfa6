// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import dev.mooring.storage.builder.WithBuilder;
import org.apiguardian.api.API;

/**
 * A namespace.
 *
 * @param metadata metadata
 * @param spec what it is
 * @param status where it stands
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
@WithBuilder
public record Namespace(ObjectMeta metadata, NamespaceSpec spec, NamespaceStatus status)
        implements KubernetesObject, NamespaceBuilder.With {}
