// SPDX-License-Identifier: Apache-2.0
/**
 * The control plane put together: which parts there are and how they are tied to each other, for every command. Read {@code
 * ControllerModule} for the controllers' side, {@code NodeModule} for the node's, {@link
 * dev.mooring.distribution.wiring.LocalCluster} for both in one process. Dagger turns the two modules into code when they are compiled,
 * and refuses a part that is missing or asks for itself.
 */
@NullMarked
package dev.mooring.distribution.wiring;

import org.jspecify.annotations.NullMarked;
