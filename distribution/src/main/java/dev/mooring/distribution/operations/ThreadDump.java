// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.operations;

import java.util.Comparator;
import java.util.Map;
import java.util.Map.Entry;

/** What every thread of this process does now. Names and places in the code only, no values. */
final class ThreadDump {
    private ThreadDump() {}

    static String now() {
        StringBuilder text = new StringBuilder();
        Map<Thread, StackTraceElement[]> all = Thread.getAllStackTraces();
        all.entrySet().stream()
                .sorted(Comparator.comparing((Entry<Thread, StackTraceElement[]> each) ->
                        each.getKey().getName()))
                .forEach(each -> {
                    Thread thread = each.getKey();
                    text.append('"').append(thread.getName()).append("\" ").append(thread.getState());
                    text.append(thread.isDaemon() ? " daemon\n" : "\n");
                    for (StackTraceElement frame : each.getValue()) {
                        text.append("    at ").append(frame).append('\n');
                    }
                    text.append('\n');
                });
        return text.toString();
    }
}
