// SPDX-License-Identifier: Apache-2.0
/** {@code mooring controller}: the controllers against a real cluster, one leader at a time. */
@NullMarked
package dev.mooring.distribution.controller;

import org.jspecify.annotations.NullMarked;
