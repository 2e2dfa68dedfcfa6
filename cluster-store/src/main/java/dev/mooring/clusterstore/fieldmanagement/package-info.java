// SPDX-License-Identifier: Apache-2.0
/** Who manages which field of an object: Kubernetes' {@code managedFields}, and what server-side apply makes of them. Pure functions. */
@NullMarked
package dev.mooring.clusterstore.fieldmanagement;

import org.jspecify.annotations.NullMarked;
