// SPDX-License-Identifier: Apache-2.0
/**
 * Why a claim or a volume is in the state it is in: by the binder's own deciders and predicates, on a picture of the cluster, off the
 * decider's thread.
 */
@NullMarked
package dev.mooring.binder.explain;

import org.jspecify.annotations.NullMarked;
