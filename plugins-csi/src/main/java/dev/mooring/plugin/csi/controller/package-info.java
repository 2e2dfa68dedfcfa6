// SPDX-License-Identifier: Apache-2.0
/** What the controllers have drivers do: make and destroy volumes, attach, grow, give attributes. */
@NullMarked
package dev.mooring.plugin.csi.controller;

import org.jspecify.annotations.NullMarked;
