// SPDX-License-Identifier: Apache-2.0
/**
 * Who uses what, kept so that no decision searches: the pods of a claim ({@link dev.mooring.binder.uses.PodsByClaim}), the nodes of a
 * volume ({@link dev.mooring.binder.uses.AttachedVolumes}), the volumes and claims of an attributes class ({@link
 * dev.mooring.binder.uses.AttributesClassUses}).
 *
 * <p>Not exported. Each is fed with changes by the controller that owns it, and confined to the decider's thread.
 */
@NullMarked
package dev.mooring.binder.uses;

import org.jspecify.annotations.NullMarked;
