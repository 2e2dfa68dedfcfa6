// SPDX-License-Identifier: Apache-2.0
/**
 * Files with secrets: written as a whole or not at all, readable by their owner alone.
 */
@NullMarked
package dev.mooring.apiserver.file;

import org.jspecify.annotations.NullMarked;
