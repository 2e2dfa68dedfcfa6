// SPDX-License-Identifier: Apache-2.0
/**
 * The rules of attaching and detaching, without any input or output. A change of a cache updates the indexes ({@code Wants}, {@code
 * Attachments}, {@code NodeUse}); a key's decision gathers facts, lets {@code Step} choose what to do next, and carries that out.
 */
@NullMarked
package dev.mooring.attachdetach.control;

import org.jspecify.annotations.NullMarked;
