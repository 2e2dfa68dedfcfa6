// SPDX-License-Identifier: Apache-2.0
/**
 * What a store needs besides the controllers if no Kubernetes stands behind it: garbage collection, the end of namespaces, the expiry
 * of events and the life cycle of nodes.
 */
@NullMarked
package dev.mooring.clusterstore.duty;

import org.jspecify.annotations.NullMarked;
