// SPDX-License-Identifier: Apache-2.0
/**
 * The rules of attaching and detaching, without any input or output. A change of a cache updates the indexes ({@code DesiredAttachments},
 * {@code ActualAttachments}, {@code NodeUse}). {@code Routes} says which keys it concerns. A key's decision gathers facts, lets {@code
 * Step} choose what to do next, and makes effects of that ({@code AttachEffects}, {@code DetachEffects}).
 */
@NullMarked
package dev.mooring.attachdetach.control;

import org.jspecify.annotations.NullMarked;
