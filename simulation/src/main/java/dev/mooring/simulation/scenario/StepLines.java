// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.scenario;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds the step around a line of a file that is no proper YAML, by its indentation alone: the elements of the list below the key {@code
 * steps}. Only for messages.
 */
final class StepLines {
    private static final Pattern STEPS = Pattern.compile("\\s*steps:\\s*(#.*)?");
    private static final Pattern ELEMENT = Pattern.compile("(\\s*)-(\\s.*)?");
    private static final Pattern NAME = Pattern.compile("[\\s{-]*name:\\s*['\"]?([^,}'\"#]+).*");

    private int indent = -1;
    private int count;
    private String name = "";

    private StepLines() {}

    /**
     * The step around a line.
     *
     * @param text the file
     * @param line the line, from 1; 0 if it is not known
     * @return what people call the step; empty if the line is in none
     */
    static Optional<String> stepAt(String text, int line) {
        StepLines finder = new StepLines();
        boolean inSteps = false;
        int number = 0;
        for (String content : (Iterable<String>) text.lines()::iterator) {
            if (++number > line) {
                break;
            }
            if (inSteps) {
                finder.look(ScenarioValue.shortened(content, 200));
            }
            inSteps |= STEPS.matcher(ScenarioValue.shortened(content, 200)).matches();
        }
        return finder.count == 0 ? Optional.empty() : Optional.of(finder.label());
    }

    private String label() {
        return name.isEmpty() ? Integer.toString(count) : count + " '" + ScenarioValue.shortened(name) + "'";
    }

    private void look(String content) {
        Matcher element = ELEMENT.matcher(content);
        boolean begins = element.matches() && (indent < 0 || element.group(1).length() == indent);
        if (begins) {
            indent = element.group(1).length();
            count++;
            name = "";
        }
        boolean own = begins || content.length() - content.stripLeading().length() == indent + 2;
        Matcher named = NAME.matcher(content);
        if (own && name.isEmpty() && named.matches()) {
            name = named.group(1).strip();
        }
    }
}
