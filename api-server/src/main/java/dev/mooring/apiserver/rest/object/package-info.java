// SPDX-License-Identifier: Apache-2.0
/**
 * What a request does to one object beside reading it and creating it: patches, applies, deletions, scales, and the subresources of pods and
 * namespaces. Each reads and writes the store through {@link dev.mooring.apiserver.rest.object.ServedStore}.
 */
@NullMarked
package dev.mooring.apiserver.rest.object;

import org.jspecify.annotations.NullMarked;
